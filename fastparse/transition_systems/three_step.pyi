from fastparse.machine.system import System

LEFT: System
RIGHT: System
