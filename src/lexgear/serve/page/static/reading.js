/* Reading: the outline follows the text, matches are walked through, references are copied, cases are picked. */
"use strict";
(() => {
  const all = (selector, inside = document) => [...inside.querySelectorAll(selector)];

  /* A case that is opened from a search is asked for with the text of the search, which never is part of an address. */
  document.documentElement.addEventListener("htmx:configRequest", (event) => {
    const text = document.getElementById("text");
    const keywords = document.getElementById("keywords");
    const asked = event.detail;
    if (asked.verb !== "get" || !asked.path.startsWith("/cases/")) return;
    if (!asked.target || asked.target.id !== "side" || !text || !text.value.trim()) return;
    event.preventDefault();
    const form = { target: "#side", swap: "innerHTML show:none", source: asked.elt, values: { text: text.value, keywords: keywords ? keywords.value : "" } };
    htmx.ajax("POST", asked.path, form);
  });

  const copy = async (button, text) => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const area = document.createElement("textarea");
      area.value = text;
      document.body.append(area);
      area.select();
      document.execCommand("copy");
      area.remove();
      button.focus();
    }
    const before = button.textContent;
    if ("copiedNow" in button.dataset) return;
    button.dataset.copiedNow = "";
    button.textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = before;
      delete button.dataset.copiedNow;
    }, 1500);
  };

  let at = -1;
  const step = (by) => {
    const marks = all(".reader-text mark[id], #left mark[id]");
    if (!marks.length) return;
    for (const one of all("mark.current")) one.classList.remove("current");
    at = (at + by + marks.length) % marks.length;
    const folded = marks[at].closest("details:not([open])");
    if (folded) folded.open = true;
    marks[at].classList.add("current");
    marks[at].scrollIntoView({ block: "center" });
    const other = document.getElementById(marks[at].id.replace("left-", "right-"));
    if (other !== marks[at]) {
      other.classList.add("current");
      other.scrollIntoView({ block: "center" });
    }
    const count = document.querySelector(".match-count");
    if (count) count.textContent = count.dataset.text.replace("NUMBER", String(at + 1));
  };

  /* Picking from the side panel checks the box of the hit, or adds a field for a case that is not among the hits. */
  const boxes = (id) => all("input[name=pick]").filter((one) => one.value === id);
  const isPicked = (id) => boxes(id).some((one) => one.type === "hidden" || one.checked);
  const showPick = (button) => {
    const picked = isPicked(button.dataset.pick);
    button.dataset.text = button.dataset.text || button.textContent;
    button.setAttribute("aria-pressed", String(picked));
    button.textContent = picked ? button.dataset.pressedText : button.dataset.text;
  };
  const togglePick = (button) => {
    const id = button.dataset.pick;
    const found = boxes(id);
    const box = found.find((one) => one.type === "checkbox");
    if (box) box.checked = !box.checked;
    else if (found.length) for (const one of found) one.remove();
    else {
      const added = document.createElement("input");
      Object.assign(added, { type: "hidden", name: "pick", value: id });
      added.setAttribute("form", "again");
      added.dataset.unseen = "";
      document.getElementById("precedents").append(added);
    }
    showPick(button);
    (box || document.getElementById("precedents")).dispatchEvent(new Event("change", { bubbles: true }));
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.copy) copy(button, button.dataset.copy);
    if (button.dataset.copyLink) copy(button, new URL(button.dataset.copyLink, location.href).href);
    if (button.dataset.step) step(Number(button.dataset.step));
    if (button.dataset.pick) togglePick(button);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
    if (event.key === "n") step(1);
    if (event.key === "p") step(-1);
  });

  const follow = () => {
    at = -1;
    for (const button of all("button[data-pick]")) showPick(button);
    const links = new Map(all(".outline a").map((link) => [link.hash.slice(1), link]));
    if (!links.size) return;
    const seen = new Set();
    const observer = new IntersectionObserver((entries) => {
      for (const one of entries) one.isIntersecting ? seen.add(one.target.id) : seen.delete(one.target.id);
      const first = [...links.keys()].find((id) => seen.has(id));
      for (const [id, link] of links) id === first ? link.setAttribute("aria-current", "true") : link.removeAttribute("aria-current");
    }, { rootMargin: "-15% 0px -60% 0px" });
    for (const id of links.keys()) {
      const part = document.getElementById(id);
      if (part) observer.observe(part);
    }
  };
  document.documentElement.addEventListener("htmx:afterSettle", (event) => {
    if (event.detail.target && event.detail.target.id === "side") follow();
  });
  follow();
})();
