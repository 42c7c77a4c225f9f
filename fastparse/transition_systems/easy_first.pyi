from fastparse.machine.system import System

SYSTEM: System
