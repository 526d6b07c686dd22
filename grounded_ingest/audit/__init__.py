"""The whole knowledge base judged again, beside its history."""
