"""The report about a scan: one page with statistics of its tables, or a comparison of two scans."""
