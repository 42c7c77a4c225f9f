from fastparse.search.engine import Engine, Loop

class EasyFirstEngine(Loop):
    engine: Engine
    def __init__(self, engine: Engine) -> None: ...
