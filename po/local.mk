# po
