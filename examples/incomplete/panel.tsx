browser.management.getAll();
<a {{b:>c:d(e f)
