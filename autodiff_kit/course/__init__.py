"""The course around the kit: the notebooks for students, their validation and their grading.

One idea: nothing here is needed to take a gradient, so nothing here is imported by the kit.
"""
