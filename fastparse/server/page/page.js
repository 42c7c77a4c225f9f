"use strict";
(() => {
  const element = (id) => document.getElementById(id);
  const text = element("text");
  const EXAMPLE = "She reads old books about the sea. A hearing is scheduled on the issue today.";
  const COLUMNS = ["forms", "lemmas", "upos", "xpos", "feats", "heads", "deprels"];
  const NAMES = ["Form", "Lemma", "UPOS", "XPOS", "Features", "Head", "Label"];
  const LONGEST_LINK = 10000; // characters of a text
  const SMALLEST = 0.7; // of the size of a picture; one that is still wider is scrolled
  const panes = [];
  let known = { models: [], systems: [] };
  let waiting = null;
  let asked = new AbortController();
  let frames = 0;

  // Text of others goes into the page as text only; pictures are made by the service, which escapes it.
  function made(name, content, ...children) {
    const node = document.createElement(name);
    if (content !== undefined) node.textContent = content;
    node.append(...children);
    return node;
  }

  function options(select, values, chosen) {
    select.replaceChildren(...values.map(([value, name]) => Object.assign(made("option", name), { value })));
    if (values.some(([value]) => value === chosen)) select.value = chosen;
  }

  function say(message) {
    element("problem").hidden = !message;
    element("problem").textContent = message || "";
  }

  async function copy(button, content) {
    const label = button.dataset.label || button.textContent;
    button.dataset.label = label;
    try {
      await navigator.clipboard.writeText(content);
      button.textContent = "Copied";
    } catch {
      button.textContent = "Cannot copy here";
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  }

  // The state of the page stands behind # in its address, which browsers send to nobody.
  function remember() {
    const state = new URLSearchParams(text.value.length > LONGEST_LINK ? {} : { text: text.value });
    element("link").disabled = text.value.length > LONGEST_LINK;
    panes.forEach((pane, at) => {
      state.set(`model${at + 1}`, pane.model.value);
      if (pane.beam.value) state.set(`beam${at + 1}`, pane.beam.value);
    });
    try {
      history.replaceState(null, "", `#${state}`);
    } catch {
      // Some browsers allow only so many in a time; the next edit remembers all of it.
    }
  }

  function addPane(model, beam) {
    const section = element("pane").content.firstElementChild.cloneNode(true);
    const find = (selector) => section.querySelector(selector);
    const pane = { section, model: find(".model"), beam: find(".beam"), found: null, rows: [], sentences: find(".sentences") };
    const title = find("h2");
    title.id = `pane-${panes.length + 1}`;
    section.setAttribute("aria-labelledby", title.id);
    const named = (one) => (one.about ? `${one.name}: ${one.about}` : one.name);
    options(pane.model, known.models.map((one) => [one.name, named(one)]), model);
    if (beam && [...pane.beam.options].some((one) => one.value === beam)) pane.beam.value = beam;
    pane.model.addEventListener("change", () => draw());
    pane.beam.addEventListener("change", () => draw());
    find(".copy").addEventListener("click", (event) => copy(event.currentTarget, pane.rows.map((row) => row.conllu).join("")));
    panes.push(pane);
    element("panes").append(section);
    titled();
  }

  function titled() {
    const titles = panes.length > 1 ? ["First model", "Second model"] : ["Trees"];
    panes.forEach((pane, at) => { pane.section.querySelector("h2").textContent = titles[at]; });
    element("panes").classList.toggle("two", panes.length > 1);
  }

  function comparing(wanted) {
    if (wanted && panes.length < 2) {
      const other = known.models.find((one) => one.name !== panes[0].model.value);
      addPane(other ? other.name : panes[0].model.value);
    }
    if (!wanted && panes.length > 1) panes.pop().section.remove();
    titled();
    element("compare").setAttribute("aria-pressed", String(panes.length > 1));
  }

  async function ask(pane, signal, first = 0) {
    const fields = new URLSearchParams({ data: text.value, model: pane.model.value, beam: pane.beam.value, first });
    const answer = await fetch("draw", { method: "POST", body: fields, signal });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
  }

  async function draw() {
    remember();
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    try {
      const found = await Promise.all(panes.map((pane) => ask(pane, signal)));
      if (signal.aborted) return; // the panes are others by now
      say("");
      panes.forEach((pane, at) => show(pane, found[at]));
      if (panes.length > 1) compare();
      else panes[0].section.querySelector(".differs").textContent = "";
      const { sentences, words } = found[0];
      element("status").textContent =
        `${counted(sentences, "sentence")}, ${counted(words, "word")}`;
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
    }
  }

  function show(pane, found) {
    pane.found = found;
    const open = [...pane.sentences.querySelectorAll(".words")].map((one) => one.open);
    pane.rows = [];
    pane.sentences.replaceChildren();
    add(pane, found, open);
  }

  function counted(number, what) {
    return `${number.toLocaleString("en")} ${what}${number === 1 ? "" : "s"}`;
  }

  // More sentences of a text, and a button for the next ones.
  function add(pane, found, open = []) {
    const before = pane.rows.length;
    pane.rows.push(...found.shown);
    pane.sentences.append(...found.shown.map((row, at) => sentence(pane, row, before + at, open[before + at])));
    const more = found.sentences - pane.rows.length;
    if (more <= 0) return;
    const button = Object.assign(made("button", `Show ${Math.min(more, found.shown.length)} more of ${counted(found.sentences, "sentence")}`), { type: "button" });
    const rest = made("p", undefined, button);
    button.addEventListener("click", () => showMore(pane, rest));
    pane.sentences.append(rest);
  }

  async function showMore(pane, rest) {
    const { signal } = asked;
    try {
      const found = await ask(pane, signal, pane.rows.length);
      if (signal.aborted || !rest.isConnected) return; // the text is another by now
      rest.remove();
      add(pane, found);
      if (panes.length > 1) compare();
    } catch (error) {
      if (error.name !== "AbortError") say(error.message);
    }
  }

  function sentence(pane, row, at, open) {
    const node = element("sentence").content.firstElementChild.cloneNode(true);
    const find = (selector) => node.querySelector(selector);
    find("h3").textContent = `${at + 1}. ${row.text}`;
    const picture = find(".picture");
    picture.setAttribute("aria-label", `Tree of sentence ${at + 1}`);
    if (row.svg) {
      picture.innerHTML = row.svg;
      const svg = picture.querySelector("svg");
      svg.style.maxWidth = `${svg.getAttribute("width")}px`;
      svg.style.minWidth = `${SMALLEST * svg.getAttribute("width")}px`;
    }
    else picture.append(made("p", "This sentence is too long to be drawn here."));
    for (const button of node.querySelectorAll(".copy")) {
      button.disabled = !row[button.dataset.what];
      button.addEventListener("click", () => copy(button, row[button.dataset.what]));
    }
    const system = find(".system");
    const own = (known.models.find((one) => one.name === pane.found.model) || {}).system;
    options(system, known.systems.map((name) => [name, name === own ? `${name} (the parser's own moves)` : name]), own);
    const steps = find(".steps");
    const stepping = find(".stepping");
    stepping.addEventListener("toggle", () => {
      if (stepping.open) step(steps, row, pane, system.value);
      else steps.replaceChildren();
    });
    system.addEventListener("change", () => step(steps, row, pane, system.value));
    find(".table").append(table(row));
    find(".table").setAttribute("aria-label", `Words of sentence ${at + 1}`);
    find(".words").open = Boolean(open);
    return node;
  }

  // The page of a derivation is an answer of its own, asked for by a form, so that the text stands in no address.
  function step(place, row, pane, system) {
    const frame = made("iframe");
    frame.name = `steps-${++frames}`;
    frame.title = `Derivation by ${system}`;
    frame.addEventListener("load", () => {
      const inner = frame.contentDocument;
      if (inner && inner.documentElement) frame.style.height = `${inner.documentElement.scrollHeight + 20}px`;
    });
    const form = Object.assign(made("form"), { method: "post", action: "steps", target: frame.name, hidden: true });
    for (const [name, value] of Object.entries({ data: row.conllu, system, model: pane.found.model, beam: pane.beam.value })) {
      form.append(Object.assign(made("textarea"), { name, value }));
    }
    place.replaceChildren(frame, form);
    form.submit();
    form.remove();
  }

  function table(row) {
    const number = Object.assign(made("th", "Word"), { scope: "col" });
    const head = made("tr", undefined, number, ...NAMES.map((name) => Object.assign(made("th", name), { scope: "col" })));
    const body = row.forms.map((form, at) =>
      made("tr", undefined, made("td", String(at + 1)), ...COLUMNS.map((name) => made("td", String(row[name][at])))));
    return made("table", undefined, made("thead", undefined, head), made("tbody", undefined, ...body));
  }

  function compare() {
    const [one, other] = panes.map((pane) => pane.rows);
    let words = 0;
    const differing = [];
    one.forEach((row, at) => {
      const second = other[at];
      if (!second || second.forms.join("\n") !== row.forms.join("\n")) {
        differing.push(`sentence ${at + 1} has other words`);
        return;
      }
      words += row.forms.length;
      row.forms.forEach((form, word) => {
        if (row.heads[word] === second.heads[word] && row.deprels[word] === second.deprels[word]) return;
        differing.push(form);
        for (const pane of panes) {
          const edge = pane.sentences.children[at].querySelector(`.edge[data-dependent="${word + 1}"]`);
          if (edge) edge.classList.add("differs");
        }
      });
    });
    const said = differing.length ? `They differ in ${differing.length} of ${words} words: ${differing.join(", ")}.`
      : `They agree in all ${words} words.`;
    panes[1].section.querySelector(".differs").textContent = said;
  }

  function later() {
    clearTimeout(waiting);
    waiting = setTimeout(draw, 120);
  }

  // From the address.
  function restore() {
    const state = new URLSearchParams(location.hash.slice(1));
    text.value = state.has("text") ? state.get("text") : EXAMPLE;
    panes.splice(0).forEach((pane) => pane.section.remove());
    addPane(state.get("model1") || known.default, state.get("beam1"));
    if (state.has("model2")) addPane(state.get("model2"), state.get("beam2"));
    comparing(panes.length > 1);
    draw();
  }

  async function begin() {
    try {
      const answer = await fetch("offers");
      if (!answer.ok) throw new Error(await answer.text());
      known = await answer.json();
    } catch (error) {
      say(`The service does not answer: ${error.message}`);
      return;
    }
    text.addEventListener("input", later);
    element("compare").addEventListener("click", () => { comparing(panes.length < 2); draw(); });
    element("link").addEventListener("click", (event) => { remember(); copy(event.currentTarget, location.href); });
    element("asked").addEventListener("submit", (event) => event.preventDefault());
    window.addEventListener("hashchange", restore);
    restore();
  }

  begin();
})();
