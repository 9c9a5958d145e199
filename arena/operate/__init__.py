"""What an operator looks at and uses: health, metrics, the overview, backups."""
