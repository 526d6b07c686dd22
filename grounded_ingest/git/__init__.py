"""The git edge: one repository, its trees and objects, never its code."""
