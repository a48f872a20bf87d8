"""What a measurement is: types, files, formulas, rules. It knows nothing of the wings around it."""
