"""Access to git: a repository, its trees and its objects. Never runs code from the repository."""
