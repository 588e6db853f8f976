browser.management.getAll();
