"""The last layers, which change with every transition: places of a configuration, states, learning along them."""
