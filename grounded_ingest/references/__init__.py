"""Looks up what documents refer to. Each module checks one kind of reference against the
repository, a web page or an issue tracker."""
