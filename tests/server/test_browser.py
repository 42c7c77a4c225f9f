"""The page in a real browser: Chromium with its driver, through selenium."""

import json
import os
import random
import shutil
import time

import pytest

from tests.server.libraries import need_libraries

need_libraries()
webdriver = pytest.importorskip("selenium.webdriver")
DRIVER = shutil.which("chromedriver")
AXE = os.environ.get("FASTPARSE_AXE")  # the path of axe.min.js, of the package axe-core
pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(DRIVER is None, reason="no driver of Chromium is installed"),
]

By, Keys = (pytest.importorskip(f"selenium.webdriver.common.{name.lower()}").__dict__[name] for name in ("By", "Keys"))
ui = pytest.importorskip("selenium.webdriver.support.ui")
Select, WebDriverWait = ui.Select, ui.WebDriverWait


@pytest.fixture(scope="module")
def browser():
    options = webdriver.ChromeOptions()
    for option in ("--headless=new", "--no-sandbox", "--disable-gpu", "--window-size=1200,900"):
        options.add_argument(option)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    found = webdriver.Chrome(options=options, service=webdriver.ChromeService(DRIVER))
    yield found
    found.quit()


@pytest.fixture
def page(browser, client):
    """The page, with a text that is drawn."""
    address = f"{client.base_url}/"
    browser.get("about:blank")
    browser.execute_cdp_cmd(
        "Browser.grantPermissions",
        {"permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"], "origin": address.rstrip("/")},
    )
    browser.get(f"{address}#text=Go+home.")
    drawn(browser, "Go home .")
    yield browser
    problems = [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"]
    assert not problems


def drawn(browser, words, pane=0):
    """Wait for the first tree of a pane to be of these words."""

    def there(browser):
        script = """
            const pane = document.querySelectorAll(".pane")[arguments[0]];
            const svg = pane && pane.querySelector(".picture svg");
            return svg && [...svg.querySelectorAll(".form")].map((one) => one.textContent).slice(1).join(" ");
        """
        return browser.execute_script(script, pane) == words

    WebDriverWait(browser, 30).until(there)


def typed(browser, text):
    box = browser.find_element(By.ID, "text")
    box.send_keys(Keys.CONTROL, "a")
    box.send_keys(text)


def pasted(browser):
    return browser.execute_async_script("navigator.clipboard.readText().then(arguments[0])")


def test_trees_are_drawn_as_they_are_typed(page, client):
    typed(page, "She reads books.")
    drawn(page, "She reads books .")
    assert page.find_element(By.ID, "status").text == "1 sentence, 4 words"
    assert "text=She+reads+books." in page.current_url
    tags = page.find_elements(By.CSS_SELECTOR, ".picture .tag")
    assert [tag.text for tag in tags] == ["PRON", "VERB", "NOUN", "PUNCT"]
    note = page.execute_script("return document.querySelector('.word[data-word=\"2\"] title').textContent")
    assert note.startswith("read\nVERB\nVBZ\nMood=Ind")
    page.find_element(By.CSS_SELECTOR, ".words summary").click()
    rows = page.find_elements(By.CSS_SELECTOR, ".table tbody tr")
    assert [row.text.split()[1] for row in rows] == ["She", "reads", "books", "."]
    typed(page, Keys.DELETE)
    WebDriverWait(page, 30).until(lambda browser: not browser.find_elements(By.CSS_SELECTOR, ".sentence"))


@pytest.mark.parametrize("compare", [False, True])
def test_a_text_of_many_sentences_is_edited(page, compare):
    if compare:
        page.find_element(By.ID, "compare").click()
    typed(page, "She reads books. " * 21)
    status = page.find_element(By.ID, "status")
    WebDriverWait(page, 30).until(lambda browser: status.text == "21 sentences, 84 words")
    assert page.find_element(By.CSS_SELECTOR, ".sentences > p").text == "Show 1 more of 21 sentences"
    page.find_element(By.CSS_SELECTOR, ".words summary").click()
    for text in ("He sleeps.", "She reads books. " * 22, "Go home.", "\u0007 <b> ' \" &amp;", "She reads."):
        page.execute_script("arguments[0].value = arguments[1]", page.find_element(By.ID, "text"), text)
        page.find_element(By.ID, "text").send_keys(" ")
        n = text.count(".") or 1
        WebDriverWait(page, 30).until(lambda browser, n=n: status.text.startswith(f"{n} sentence"))
        assert not page.find_element(By.ID, "problem").is_displayed()
    drawn(page, "She reads .")
    assert page.find_element(By.CSS_SELECTOR, ".words").get_attribute("open")


def test_more_sentences_are_shown_on_demand(page):
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    text = "\n\n".join(f"She reads {tens} {ones} books." for tens in words for ones in words)
    page.execute_script("arguments[0].value = arguments[1]", page.find_element(By.ID, "text"), text)
    page.find_element(By.ID, "text").send_keys(" ")
    for shown in (20, 40, 60, 80, 100):
        WebDriverWait(page, 30).until(
            lambda browser, shown=shown: len(browser.find_elements(By.CSS_SELECTOR, ".sentence")) == shown
        )
        heading = page.find_elements(By.CSS_SELECTOR, ".sentence h3")[-1].text
        assert heading.startswith(f"{shown}. She reads {words[shown // 10 - 1]} nine")
        for button in page.find_elements(By.CSS_SELECTOR, ".sentences > p button"):
            page.execute_script("arguments[0].click()", button)
    assert not page.find_elements(By.CSS_SELECTOR, ".sentences > p")


def test_random_edits_leave_the_page_alive(page):
    """Typing, pasting, deleting, comparing, opening and closing, for a minute: what is shown is of the last text."""
    chance = random.Random(1)
    box = page.find_element(By.ID, "text")
    pieces = [
        "She reads. ",
        "\n\n",
        "the ",
        "- a list\n",
        "\u0007",
        "<b>",
        "é",
        "🙂 ",
        "don't ",
        "Yes! " * 30,
        "word " * 130,
        "",
    ]
    end = time.monotonic() + 60
    while time.monotonic() < end:
        what = chance.randrange(8)
        if what < 4:
            value = page.execute_script("return arguments[0].value", box)
            at, gone = chance.randint(0, len(value)), chance.choice([0, 0, 1, 5, 1000])
            value = value[:at] + chance.choice(pieces) + value[at + gone :]
            script = "arguments[0].value = arguments[1]; arguments[0].dispatchEvent(new Event('input'))"
            page.execute_script(script, box, value)
        else:
            selector = ["#compare", "summary", ".sentences > p button", ".copy"][what - 4]
            script = """
                const found = document.querySelectorAll(arguments[0]);
                if (found.length) found[arguments[1] % found.length].click();
            """
            page.execute_script(script, selector, chance.randrange(1000))
        time.sleep(chance.choice([0, 0.05, 0.2]))
    page.execute_script("arguments[0].value = ''", box)
    box.send_keys("He sleeps.")
    drawn(page, "He sleeps .")
    assert page.find_element(By.ID, "status").text == "1 sentence, 3 words"
    assert not page.find_element(By.ID, "problem").is_displayed()
    faults = [entry["message"] for entry in page.get_log("browser") if entry["level"] == "SEVERE"]
    assert all("/steps" in fault and "400" in fault for fault in faults)  # sentences too long to step through


@pytest.mark.parametrize("n", [5, 40, 120])
@pytest.mark.parametrize("width", [390, 1400])
def test_wide_trees_shrink_and_then_scroll_with_a_visible_edge(page, n, width):
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    try:
        words = ["word"] * (n - 1) + ["."]
        typed(page, " ".join(words))
        drawn(page, " ".join(words))
        natural, drawn_wide, room, inside = page.execute_script("""
            const picture = document.querySelector(".picture"), svg = picture.querySelector("svg");
            return [+svg.getAttribute("width"), svg.clientWidth, picture.clientWidth, picture.scrollWidth];
        """)
        assert 0.69 * natural <= drawn_wide <= natural + 1
        assert drawn_wide == pytest.approx(min(natural, max(room, 0.7 * natural)), abs=2)
        assert inside == pytest.approx(max(room, drawn_wide), abs=2)
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_a_derivation_is_stepped_through(page):
    page.find_element(By.CSS_SELECTOR, ".stepping summary").click()
    frame = page.find_element(By.CSS_SELECTOR, ".steps iframe")
    page.switch_to.frame(frame)
    WebDriverWait(page, 30).until(lambda browser: browser.find_elements(By.ID, "next"))
    assert page.find_element(By.TAG_NAME, "h1").text == "hybrid, the parser's own moves"
    page.find_element(By.ID, "next").click()
    assert page.find_element(By.ID, "move").text == "Step 1: SHIFT"
    assert [one.text for one in page.find_elements(By.CSS_SELECTOR, ".region.stack li")][-1].startswith("Go")
    page.find_element(By.TAG_NAME, "body").send_keys(Keys.END)
    assert len(page.find_elements(By.CSS_SELECTOR, ".edge:not(.hidden)")) == 3
    page.switch_to.default_content()
    Select(page.find_element(By.CSS_SELECTOR, ".system")).select_by_value("two-registers")
    page.switch_to.frame(page.find_element(By.CSS_SELECTOR, ".steps iframe"))
    WebDriverWait(page, 30).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, ".region.registers"))
    page.switch_to.default_content()


def test_two_models_side_by_side(page):
    page.find_element(By.ID, "compare").click()
    drawn(page, "Go home .", 1)
    chosen = [Select(one).first_selected_option for one in page.find_elements(By.CSS_SELECTOR, ".model")]
    assert [one.get_attribute("value") for one in chosen] == ["en-fast", "tiny"]
    assert chosen[0].text == "en-fast: English, UD English EWT 2.16"
    assert [one.text for one in page.find_elements(By.CSS_SELECTOR, ".pane h2")] == ["First model", "Second model"]
    said = page.find_elements(By.CSS_SELECTOR, ".differs[role=status]")[1]
    WebDriverWait(page, 30).until(lambda browser: said.text)
    assert said.text.startswith(("They agree in all 3 words", "They differ in"))
    left, right = (one.rect for one in page.find_elements(By.CSS_SELECTOR, ".pane"))
    assert left["x"] + left["width"] <= right["x"]
    assert "model2=tiny" in page.current_url
    page.find_element(By.ID, "compare").click()
    assert len(page.find_elements(By.CSS_SELECTOR, ".pane")) == 1


@pytest.mark.parametrize(("what", "beginning"), [("conllu", "# "), ("svg", "<svg "), ("tikz", "\\begin{dependency}")])
def test_copies(page, what, beginning):
    page.find_element(By.CSS_SELECTOR, ".copies summary").click()
    button = page.find_element(By.CSS_SELECTOR, f'.sentence [data-what="{what}"]')
    button.click()
    WebDriverWait(page, 10).until(lambda browser: button.text == "Copied")
    assert pasted(page).startswith(beginning)


def test_a_link_carries_the_text_behind_its_hash(page, client):
    page.find_element(By.ID, "link").click()
    link = pasted(page)
    assert link.startswith(f"{client.base_url}/#text=Go+home.")
    page.get("about:blank")
    page.get(link)
    drawn(page, "Go home .")


def test_errors_are_said(page):
    page.execute_script("document.getElementById('text').removeAttribute('maxlength')")
    page.execute_script("document.getElementById('text').value = 'a '.repeat(600000)")
    page.find_element(By.ID, "text").send_keys("x")
    problem = page.find_element(By.ID, "problem")
    WebDriverWait(page, 30).until(lambda browser: problem.is_displayed())
    assert "1,000,000 characters" in problem.text
    page.get_log("browser")  # the browser notes the status of the answer


@pytest.mark.parametrize("width", [320, 390, 768, 1200, 2560])
def test_nothing_is_wider_than_the_screen(page, width):
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 500},
    )
    try:
        typed(page, "She reads old books about the history of the sea and of all that lives in it or near it.")
        drawn(page, "She reads old books about the history of the sea and of all that lives in it or near it .")
        assert page.execute_script("return document.documentElement.scrollWidth") <= width
    finally:
        page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.skipif(AXE is None, reason="FASTPARSE_AXE does not name axe.min.js")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nobody_is_kept_out(page, scheme):
    page.execute_cdp_cmd(
        "Emulation.setEmulatedMedia", {"features": [{"name": "prefers-color-scheme", "value": scheme}]}
    )
    page.find_element(By.ID, "compare").click()
    drawn(page, "Go home .", 1)
    page.find_element(By.CSS_SELECTOR, ".stepping summary").click()
    page.find_element(By.CSS_SELECTOR, ".words summary").click()
    WebDriverWait(page, 30).until(lambda browser: browser.find_elements(By.CSS_SELECTOR, ".steps iframe"))
    # The page lets in no script of others, so axe comes through the driver, which stands above that.
    with open(AXE, encoding="utf-8") as source:
        page.execute_script(source.read())
    found = page.execute_async_script("axe.run().then((found) => arguments[0](JSON.stringify(found.violations)))")
    bad = [(one["id"], one["impact"], [node["target"] for node in one["nodes"]]) for one in json.loads(found)]
    page.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})
    assert not bad
