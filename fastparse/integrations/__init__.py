"""fastparse inside other libraries' pipelines, each in a module that imports its library."""
