"use strict";
(() => {
  const { words, regions, steps, arcs } = JSON.parse(document.getElementById("derivation").textContent);
  const last = steps.length - 1;
  const element = (id) => document.getElementById(id);
  // Where a word stands decides its colour; a word in two places shows the first of these.
  const kinds = {
    registers: "register",
    focus: "register",
    theta: "register",
    stack: "stack",
    inactive: "stack",
    pending: "buffer",
    buffer: "buffer",
  };
  const moveButtons = [...document.querySelectorAll("#moves button")];
  const edges = arcs.map(([head, dependent, step, end]) => ({
    step,
    end,
    node: document.querySelector(`.edge[data-head="${head}"][data-dependent="${dependent}"]`),
  }));
  const wordNodes = [...document.querySelectorAll("#tree .word")];
  let current = 0;

  const lists = regions.map((name) => {
    const section = document.createElement("section");
    const heading = document.createElement("h2");
    const list = document.createElement("ol");
    heading.textContent = name[0].toUpperCase() + name.slice(1);
    heading.id = `region-${name}`;
    list.setAttribute("aria-labelledby", heading.id);
    section.className = `region ${name}`;
    section.append(heading, list);
    element("regions").append(section);
    return { name, section, list };
  });

  // A register may be free (-1), and a focus may have passed the last word; what is remembered may be of no word (null).
  function chip([note, word]) {
    const item = document.createElement("li");
    if (word === null) {
      item.textContent = note;
      return item;
    }
    const number = document.createElement("small");
    const text = word < 0 ? "none" : word < words.length ? words[word] : "end";
    item.textContent = note ? `${note}: ${text}` : text;
    number.textContent = word < 0 || word >= words.length ? "" : ` ${word}`;
    item.append(number);
    return item;
  }

  // Keep what this step is about in sight of a picture wider than the page.
  function follow(now) {
    const drawn = edges.find((edge) => edge.step === current && current > 0);
    const [front] = now.buffer || now.focus || now.pending || [];
    const node = drawn ? drawn.node : front && wordNodes.find((one) => Number(one.dataset.word) === front[1]);
    if (!node) return;
    const box = node.getBoundingClientRect();
    const frame = element("tree").getBoundingClientRect();
    if (box.left < frame.left || box.right > frame.right) {
      element("tree").scrollLeft += (box.left + box.right - frame.left - frame.right) / 2;
    }
  }

  function show(step) {
    current = Math.max(0, Math.min(last, step));
    const now = steps[current];
    const place = new Map();
    for (const name of Object.keys(kinds)) {
      for (const [, word] of now[name] || []) {
        if (!place.has(word)) place.set(word, kinds[name]);
      }
    }
    for (const { name, section, list } of lists) {
      list.replaceChildren(...now[name].map(chip));
      section.classList.toggle("empty", now[name].length === 0);
    }
    for (const node of wordNodes) {
      node.setAttribute("class", `word ${place.get(Number(node.dataset.word)) || "gone"}`);
    }
    for (const edge of edges) {
      const shown = edge.step <= current && current < edge.end;
      edge.node.classList.toggle("hidden", !shown);
      edge.node.classList.toggle("new", edge.step === current && current > 0);
      edge.node.setAttribute("aria-hidden", String(!shown));
    }
    moveButtons.forEach((button, at) => {
      if (at === current) button.setAttribute("aria-current", "step");
      else button.removeAttribute("aria-current");
    });
    element("move").textContent = `Step ${current}: ${now.move || "the initial configuration"}`;
    element("count").textContent = `${current} of ${last}`;
    element("slider").value = current;
    element("slider").setAttribute("aria-valuetext", `${current}, ${now.move || "start"}`);
    element("first").disabled = element("previous").disabled = current === 0;
    element("last").disabled = element("next").disabled = current === last;
    follow(now);
    try {
      history.replaceState(null, "", `#${current}`);
    } catch {
      // A page without an address of its own cannot keep the step in it.
    }
  }

  const keys = {
    ArrowRight: () => current + 1,
    ArrowLeft: () => current - 1,
    PageDown: () => current + 10,
    PageUp: () => current - 10,
    Home: () => 0,
    End: () => last,
  };
  document.addEventListener("keydown", (event) => {
    if (!(event.key in keys) || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(keys[event.key]());
  });
  element("first").addEventListener("click", () => show(0));
  element("previous").addEventListener("click", () => show(current - 1));
  element("next").addEventListener("click", () => show(current + 1));
  element("last").addEventListener("click", () => show(last));
  element("slider").addEventListener("input", (event) => show(Number(event.target.value)));
  moveButtons.forEach((button, at) => button.addEventListener("click", () => show(at)));
  window.addEventListener("hashchange", () => show(Number(location.hash.slice(1)) || 0));
  show(Number(location.hash.slice(1)) || 0);
})();
