"""Pages of the competition: they translate, selectors read and services decide."""
