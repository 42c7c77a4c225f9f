"""Systems over planes: planar trees and graphs, trees of two planes, directed acyclic graphs."""
