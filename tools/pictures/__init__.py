"""Pictures of every page of a site with played data, in all widths, themes and languages."""
