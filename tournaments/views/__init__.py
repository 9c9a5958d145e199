"""Pages of tournaments. Views translate, selectors read, and services decide."""
