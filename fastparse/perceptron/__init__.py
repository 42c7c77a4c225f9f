"""What all learning with perceptrons shares: weights with their averages, and chance."""
