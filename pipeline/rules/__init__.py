"""Floor of the pure functions, without state, input or output.

Order: `masking` imports `entities`, which imports `text` and `market`; `injection` imports `text`;
`user_tags` imports `market` and `evidence`; `evidence`, `tabular` and `statements` stand
alone. Below all is `setup`, the words of a directional call. The floor may import the leaves only.
"""
