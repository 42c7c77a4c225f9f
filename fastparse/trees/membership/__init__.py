"""Classes of trees and the degrees that define them."""
