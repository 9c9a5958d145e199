"""Never says that it is ready."""

import time

time.sleep(3600)
