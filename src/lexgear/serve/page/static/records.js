/* What the browser keeps. The facts stay in this tab (session storage) so that a reload does not lose them. History,
   saved searches, marks, notes and feedback are kept in local storage, and only after the visitor has switched it on. */
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  const TAB = "lexgear.search";
  const KEPT = "lexgear.records";
  const MOST = 50;
  const FIELDS = ["text", "keywords", "act_date", "court", "own_courts"];
  const EMPTY = { history: [], saved: [], marks: {}, feedback: {} };

  const read = (storage, key) => {
    try {
      return JSON.parse(storage.getItem(key));
    } catch {
      return null;
    }
  };
  const write = (storage, key, value) => {
    try {
      storage.setItem(key, JSON.stringify(value));
    } catch {
      /* Storage is full or forbidden: nothing is kept. */
    }
  };
  const keeping = () => read(localStorage, KEPT) !== null;
  const records = () => ({ ...EMPTY, ...read(localStorage, KEPT) });
  const change = (made) => {
    if (!keeping()) return;
    const kept = records();
    made(kept);
    write(localStorage, KEPT, kept);
    show();
  };

  const form = () => find("ask");
  const entered = () => {
    const data = new FormData(form());
    return Object.fromEntries(FIELDS.map((name) => [name, data.get(name) || ""]));
  };
  const fill = (search) => {
    for (const name of FIELDS) {
      const field = form().elements[name];
      if (!field) continue;
      if (field.type === "checkbox") field.checked = Boolean(search[name]);
      else field.value = search[name] || "";
    }
  };
  const ask = (search) => {
    fill(search);
    form().requestSubmit();
  };

  /* A search that was answered. Its id is the number of its text, so that feedback on one text comes together. */
  const idOf = (text) => {
    let number = 5381;
    for (const sign of text) number = ((number * 33) ^ sign.codePointAt(0)) >>> 0;
    return `q${number.toString(36)}`;
  };
  const same = (one, other) => FIELDS.every((name) => one[name] === other[name]);
  const answered = () => {
    if (!form() || !find("answer-title")) return;
    const search = entered();
    write(sessionStorage, TAB, search);
    change((kept) => {
      kept.history = [search, ...kept.history.filter((one) => !same(one, search))].slice(0, MOST);
    });
  };

  /* The buttons of the hits. */
  const own = (button) => button.closest("[data-own]");
  const asked = () => (document.querySelector("#again input[name=text]") || { value: "" }).value;
  const paint = () => {
    document.documentElement.classList.toggle("keeping", keeping());
    const kept = records();
    const feedback = (kept.feedback[idOf(asked())] || { grades: {} }).grades;
    for (const place of document.querySelectorAll("[data-own]")) {
      const id = place.dataset.own;
      const mark = kept.marks[id] || {};
      for (const button of place.querySelectorAll("[data-judge]")) {
        button.setAttribute("aria-pressed", String(String(feedback[id]) === button.dataset.judge));
      }
      place.querySelector("[data-mark]").setAttribute("aria-pressed", String(Boolean(mark.marked)));
      place.querySelector("[data-note]").value = mark.note || "";
    }
  };
  const note = (place, values) =>
    change((kept) => {
      const made = { title: place.dataset.title, ...kept.marks[place.dataset.own], ...values };
      if (made.marked || made.note) kept.marks[place.dataset.own] = made;
      else delete kept.marks[place.dataset.own];
    });
  const judge = (place, grade) =>
    change((kept) => {
      const id = idOf(asked());
      const query = kept.feedback[id] || { text: asked(), grades: {} };
      if (query.grades[place.dataset.own] === grade) delete query.grades[place.dataset.own];
      else query.grades[place.dataset.own] = grade;
      kept.feedback[id] = query;
      if (!Object.keys(query.grades).length) delete kept.feedback[id];
    });

  /* The dialog. */
  const item = (list, content, remove) => {
    const row = document.createElement("li");
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "link", textContent: find("records-body").dataset.remove });
    button.addEventListener("click", () => change(remove));
    row.append(content, " ", button);
    list.append(row);
  };
  const summary = (search) => {
    const button = document.createElement("button");
    const rest = [search.keywords, search.act_date, search.court].filter(Boolean).join(" · ");
    const text = search.text.trim().replace(/\s+/g, " ");
    Object.assign(button, { type: "button", className: "link record" });
    button.textContent = (text.length > 60 ? `${text.slice(0, 60)}…` : text) + (rest ? ` · ${rest}` : "");
    button.addEventListener("click", () => {
      find("records").close();
      if (form()) ask(search);
      else {
        write(sessionStorage, TAB, search);
        location.assign("/");
      }
    });
    return button;
  };
  const list = (name, entries) => {
    const place = find(name);
    place.replaceChildren();
    for (const [content, remove] of entries) item(place, content, remove);
    if (!entries.length) place.append(Object.assign(document.createElement("li"), { textContent: find("records-body").dataset.none }));
  };
  const noteOf = ([id, mark]) => {
    const content = document.createElement("span");
    const link = document.createElement("a");
    link.href = `/cases/${encodeURIComponent(id).replaceAll("%2F", "/")}`;
    link.textContent = mark.title || id;
    content.append(link, mark.note ? ` – ${mark.note}` : "");
    return [content, (kept) => delete kept.marks[id]];
  };
  const show = () => {
    const kept = records();
    find("keep-records").checked = keeping();
    find("records-body").hidden = !keeping();
    for (const [name, key] of [["saved-list", "saved"], ["history-list", "history"]]) {
      list(name, kept[key].map((one) => [summary(one), (now) => { now[key] = now[key].filter((other) => !same(one, other)); }]));
    }
    list("marks-list", Object.entries(kept.marks).map(noteOf));
    const grades = Object.values(kept.feedback).reduce((sum, one) => sum + Object.keys(one.grades).length, 0);
    find("feedback-count").textContent = String(grades);
    find("export-feedback").disabled = !grades;
    paint();
  };
  const download = (name, text) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
    link.download = name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const exportFeedback = () => {
    const queries = Object.entries(records().feedback);
    const line = ([id, { text }]) => `${JSON.stringify({ id, text, split: "train", incomplete_labels: true })}\n`;
    const label = (id) => ([document, grade]) => `${id} 0 ${document} ${grade}\n`;
    download("queries.jsonl", queries.map(line).join(""));
    download("qrels.trec", queries.flatMap(([id, { grades }]) => Object.entries(grades).map(label(id))).join(""));
  };

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest(selector);
    if (at("#open-records")) {
      find("records-status").textContent = "";
      show();
      find("records").showModal();
    } else if (at("[data-close-records]")) find("records").close();
    else if (at("#erase-records")) {
      localStorage.removeItem(KEPT);
      sessionStorage.removeItem(TAB);
      find("records-status").textContent = at("#erase-records").dataset.erased;
      show();
    } else if (at("#export-feedback")) exportFeedback();
    else if (at("#save-search")) {
      const search = entered();
      change((kept) => { kept.saved = [search, ...kept.saved.filter((one) => !same(one, search))]; });
    } else if (at("[data-judge]")) judge(own(at("[data-judge]")), Number(at("[data-judge]").dataset.judge));
    else if (at("[data-mark]")) note(own(at("[data-mark]")), { marked: at("[data-mark]").getAttribute("aria-pressed") === "false" });
  });
  document.addEventListener("change", (event) => {
    if (event.target.id === "keep-records") {
      if (event.target.checked) write(localStorage, KEPT, EMPTY);
      else localStorage.removeItem(KEPT);
      show();
      answered();
    }
    if (event.target.matches("[data-note]")) note(own(event.target), { note: event.target.value.trim() });
  });
  document.documentElement.addEventListener("htmx:afterSettle", (event) => {
    const target = event.detail.target;
    if (target && (target.id === "answer" || target.id === "precedents")) {
      answered();
      paint();
    }
  });
  paint();
  answered();
  /* After a reload the form is empty and the tab knows the search: it is asked again. */
  const before = form() && read(sessionStorage, TAB);
  if (before && before.text && !form().elements.text.value && !find("answer-title")) {
    fill(before);
    addEventListener("load", () => form().requestSubmit());
  }
})();
