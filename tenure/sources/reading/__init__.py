"""
The files of a site and what is in them: texts, and Nodes with their places; the language of each; pictures.
"""
