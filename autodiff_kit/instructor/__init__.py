"""For instructors: the students' release of the notebooks.

One idea: what students get is made by a program from what is tested, never by hand.
``python -m autodiff_kit.instructor release FOLDER``; nothing here is imported by the kit.
"""
