"""Whether what is known of a value fits what a schema asks for, as the browsers decide it."""
