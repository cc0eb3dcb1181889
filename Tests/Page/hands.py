"""One person's gestures, with a mouse and with the keyboard alone: the same day is done by both."""

from browser import Fault, until


class Hands:
    def __init__(self, page):
        self.page = page
        self.tab = page.tab

    def opened(self, title):
        until(f"{title} is open", lambda: self.page.title() == title)

    def row(self, title):
        return self.tab.locator(".row", has=self.tab.locator(".row-title", has_text=title)).first

    def fresh(self, title):
        """A note that was just made is in the list and open, and the focus is somewhere."""
        self.opened(title)
        until("the focus is kept", self.page.focused)


class Mouse(Hands):
    name = "mouse"

    def new(self, kind, title, required=None):
        self.tab.click("button.new-button")
        self.tab.get_by_label("Title", exact=True).last.fill(title)
        self.tab.locator("dialog select").first.select_option(kind)
        for label, value in (required or {}).items():
            self.tab.locator("dialog").get_by_label(label).fill(value)
        self.tab.click("dialog button[type=submit]")
        self.fresh(title)

    def go(self, filter):
        self.tab.locator(".sidebar a", has_text=filter).first.click()

    def search(self, query):
        self.tab.fill(".filter-input", query)
        self.tab.press(".filter-input", "Escape")
        self.tab.click(".list-head h1")

    def open(self, title):
        self.row(title).locator(".row-title").click()
        self.opened(title)

    def choose(self, field, value):
        self.tab.locator(f".field[data-name='{field}'] select").select_option(value)

    def date(self, field, value):
        self.more()
        self.tab.locator(f".field[data-name='{field}'] input").fill(value)
        self.tab.locator(".note-top").click()

    def more(self):
        button = self.tab.locator(".fields .more")
        if button.is_visible() and button.inner_text().startswith("More"):
            button.click()

    def act(self, action):
        self.tab.click(f".note-actions [data-action='{action}']")

    def tag(self, *tags):
        self.tab.click(".field[data-name=tags] .picker")
        for tag in tags:
            self.tab.fill("dialog input", tag)
            self.tab.locator("dialog [role=option]", has_text=tag).first.click()
            until(f"{tag} is ticked", lambda: self.tab.locator("dialog [role=option][aria-selected=true]", has_text=tag).count() or self.page.saved() == "Saved")
            self.page.settled()
        self.tab.keyboard.press("Escape")

    def stars(self, count):
        self.tab.locator(f".star-input span:nth-child({count})").click()

    def refer(self, field, title):
        self.tab.click(f".field[data-name='{field}'] .picker")
        self.tab.fill("dialog input", title[:5])
        self.tab.locator("dialog [role=option]", has_text=title).first.click()

    def write(self, text):
        if not self.tab.locator(".body-text").is_visible():
            self.tab.click(".body .switch")
        self.tab.fill(".body-text", text)
        self.tab.click(".body .switch")

    def retitle(self, title):
        # Typed: Firefox tells of no change where a script has put the text there.
        self.tab.locator(".note-title").press("Control+a")
        self.tab.keyboard.type(title)
        self.tab.locator(".note-top").click()

    def tick(self, title):
        self.row(title).locator("[data-tick]").click()

    def day(self, title):
        self.open(title)
        self.tab.click(".note-actions [data-action='today']")

    def remove(self):
        self.tab.click(".note-actions .danger")

    def undo(self):
        self.tab.click(".top [data-action=undo]")

    def redo(self):
        self.tab.click(".top [data-action=redo]")

    def select(self, *titles):
        for title in titles:
            self.row(title).hover()
            self.row(title).locator("[data-select]").click()

    def many(self, action):
        """An action on the selection: its patch is seen first."""
        button = self.tab.locator(".selection-bar button", has_text=action)
        if button.count():
            button.first.click()
        else:
            self.tab.locator(".selection-bar button", has_text="More…").click()
            self.tab.locator("dialog [role=option]", has_text=action).first.click()
        patch = self.tab.locator("dialog .patch").text_content()
        self.tab.click("dialog button.primary")
        return patch

    def back(self):
        self.tab.go_back()


class Keyboard(Hands):
    name = "keyboard"

    def press(self, *keys):
        for key in keys:
            self.tab.keyboard.press(key)

    def type(self, text):
        self.tab.keyboard.type(text)

    def new(self, kind, title, required=None):
        self.press("Escape", "c")
        until("the form is open", lambda: self.tab.locator("dialog[open]").count())
        self.type(title)
        self.press("Tab")
        self.type(kind)
        until(f"the kind is {kind}", lambda: self.tab.evaluate("document.activeElement.value") == kind)
        for value in (required or {}).values():
            self.press("Tab")
            self.type(value)
        self.press("Tab")
        if required:
            self.press("Shift+Tab", "Enter")
        else:
            self.press("Shift+Tab", "Shift+Tab", "Enter")
        self.fresh(title)
        until("the caret is in the text", lambda: self.tab.evaluate("document.activeElement.className") == "body-text")
        self.press("Escape")

    def go(self, filter):
        self.press("Escape", "Escape", "Escape", "g", filter[0].lower())

    def search(self, query):
        self.press("Escape", "Escape", "/")
        until("the filter has the focus", lambda: self.tab.evaluate("document.activeElement.classList.contains('filter-input')"))
        self.press("Control+a")
        self.type(query)
        self.press("Enter")

    def in_list(self):
        return self.tab.evaluate("document.activeElement.getAttribute('role') === 'grid'")

    def cursor(self, title):
        for _ in range(3):
            if not self.in_list():
                self.press("Escape")
        until("the list has the focus", self.in_list)
        until(f"{title} is listed", lambda: title in self.page.rows())
        self.press("Home")
        for _ in range(60):
            here = self.tab.evaluate("document.querySelector('.row.current .row-title')?.textContent")
            if here == title:
                return
            self.press("j")
        raise Fault(f"j does not reach {title}")

    def open(self, title):
        self.cursor(title)
        self.press("Enter")
        self.opened(title)

    def picked(self, key, value):
        self.press(key)
        until("the chooser is open", lambda: self.tab.locator("dialog[open]").count())
        self.type(value)
        until(f"{value} is offered", lambda: self.tab.locator("dialog .active").count() and value.lower() in self.tab.locator("dialog .active").inner_text().lower())
        self.press("Enter")

    def field(self, field, value):
        self.press("f")
        until("the fields are offered", lambda: self.tab.locator("dialog[open]").count())
        self.type(field)
        self.press("Enter")
        until("the value is asked for", lambda: self.tab.locator("dialog[open]").count() and self.tab.evaluate("document.activeElement.getAttribute('aria-label').toLowerCase()").startswith(field.replace("-", " ")))
        self.type(value)
        until(f"{value} is offered", lambda: self.tab.locator("dialog .active").count() and value.lower() in self.tab.locator("dialog .active").inner_text().lower())
        self.press("Enter")

    def choose(self, field, value):
        self.picked("p" if field == "priority" else "s", value)

    def date(self, field, value):
        self.field(field, value)

    def act(self, action):
        self.picked("a", action.replace("-", " "))

    def tag(self, *tags):
        self.press("l")
        until("the tags are offered", lambda: self.tab.locator("dialog[open]").count())
        for tag in tags:
            self.type(tag)
            until(f"{tag} is offered", lambda: self.tab.locator("dialog .active").count() and tag in self.tab.locator("dialog .active").inner_text())
            self.press("Enter")
            until("it is asked for the next", lambda: self.tab.evaluate("document.activeElement.value") == "")
            self.page.settled()
        self.press("Escape")

    def stars(self, count):
        self.field("rating", "★" * count)

    def refer(self, field, title):
        self.field(field, title)

    def write(self, text):
        self.press("e")
        until("the text has the focus", lambda: self.tab.evaluate("document.activeElement.classList.contains('body-text')"))
        self.press("Control+a")
        self.tab.keyboard.insert_text(text)
        self.press("Control+s", "Escape")

    def retitle(self, title):
        self.press("t")
        until("the title has the focus", lambda: self.tab.evaluate("document.activeElement.classList.contains('note-title')"))
        self.press("Control+a")
        self.type(title)
        self.press("Enter", "Escape")

    def tick(self, title):
        self.cursor(title)
        self.press("s")

    def day(self, title):
        self.cursor(title)
        self.press("m")

    def remove(self):
        self.press("#")

    def undo(self):
        self.press("Escape", "z")

    def redo(self):
        self.press("Escape", "Z")

    def select(self, *titles):
        for title in titles:
            self.cursor(title)
            self.press("x")

    def many(self, action):
        self.picked("a", action)
        until("the patch is shown", lambda: self.tab.locator("dialog .patch").count())
        patch = self.tab.locator("dialog .patch").text_content()
        self.press("Enter")
        return patch

    def back(self):
        self.press("Alt+ArrowLeft")
