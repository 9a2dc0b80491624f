/* What htmx does not do: shows the status, moves the focus to new content, counts the picked cases, takes in files. */
"use strict";
(() => {
  const find = (id) => document.getElementById(id);
  document.documentElement.classList.add("scripted");

  const setStatus = (text, look) => {
    const status = find("status");
    if (!status) return;
    status.className = `status ${look}`;
    status.textContent = text;
  };
  const statusText = (name) => (find("status") ? find("status").dataset[name] || "" : "");

  /* Side panel for a case, a comparison or a report. The search is hidden meanwhile and comes back unchanged. */
  let from = null;
  const opened = () => find("side") && !find("side").hidden;
  const open = () => {
    if (opened()) return;
    find("start").hidden = true;
    find("side").hidden = false;
    history.pushState({ beside: true }, "");
  };
  const close = () => {
    if (!opened()) return;
    find("side").hidden = true;
    find("side").replaceChildren();
    find("start").hidden = false;
    if (from && document.contains(from)) {
      from.focus();
      from.scrollIntoView({ block: "center" });
    }
  };
  window.addEventListener("popstate", (event) => {
    if (!(event.state && event.state.beside)) close();
  });

  const count = () => {
    const place = find("picked");
    if (!place) return;
    const boxes = document.querySelectorAll("input[name=pick]:checked, input[name=pick][data-unseen]");
    place.dataset.count = String(boxes.length);
    find("picked-count").textContent = String(boxes.length);
  };

  /* The new heading gets the focus; the page scrolls only if the heading is not in the upper part of the window. */
  const focus = (inside) => {
    const heading = inside.querySelector("[data-focus]");
    if (!heading) return;
    heading.focus({ preventScroll: true });
    if (heading.matches("#side h1")) scrollTo(0, 0);
    const top = heading.getBoundingClientRect().top;
    if (top < 0 || top > innerHeight * 0.45) heading.scrollIntoView({ block: "start" });
  };
  /* A facet, the order or the grouping keeps the focus: its element is a new one after the answer. */
  const refocus = (from) => {
    const all = [...document.querySelectorAll("#precedents input:not([type=hidden]), #precedents select")];
    const same = all.find((one) => one.name === from.name && (one.type !== "checkbox" || one.value === from.value));
    if (!same) return false;
    for (let fold = same.closest("details"); fold; fold = fold.parentElement.closest("details")) fold.open = true;
    same.focus({ preventScroll: true });
    return true;
  };

  /* The form grows when it is used and becomes small with the next answer. If it did so when it loses the focus, a
     button would move between pressing and releasing the mouse, and the click would be lost. */
  document.addEventListener("focusin", (event) => {
    if (event.target.closest("#ask")) find("start").classList.add("editing");
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches("input[name=pick]")) count();
    if (event.target.matches("#upload input[type=file]") && event.target.files.length) event.target.form.requestSubmit();
  });
  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-close]")) history.back();
    /* Links within the page add no history entries, so that "back" still leads to the results. */
    const link = event.target.closest("a[href^='#']");
    const place = link && find(link.hash.slice(1));
    if (place) {
      event.preventDefault();
      place.focus({ preventScroll: true });
      const folded = place.closest("details:not([open])");
      if (folded) folded.open = true;
      place.scrollIntoView({ block: place.id === "main" || "top" in place.dataset ? "start" : "center" });
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && opened()) history.back();
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target.id === "text") event.target.form.requestSubmit();
  });

  /* A change of language or of the display of names affects the whole page: the browser submits the form itself, before
     htmx sees the event, and the side panel is opened again on the new page. */
  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    if (button && button.matches("[data-plain]")) event.stopPropagation();
    if (!button || !button.closest("#choices")) return;
    event.stopPropagation();
    if (!opened()) return;
    const chosen = new URL(button.formAction).search;
    const own = find("side").querySelector("form[data-whole]");
    if (own) {
      event.preventDefault();
      own.action += chosen;
      own.submit();
    } else button.formAction = `/search${chosen}#${find("side").querySelector(".panel").dataset.address}`;
  }, true);
  const beside = /^#(\/(?:cases|law)\/.+)$/.exec(location.hash);
  if (beside && find("side")) {
    window.addEventListener("load", () => htmx.ajax("GET", beside[1], { target: "#side", swap: "innerHTML show:none" }));
  }

  for (const kind of ["dragenter", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const zone = event.target.closest && event.target.closest(".drop-zone");
      if (zone) zone.classList.toggle("over", kind === "dragenter");
    });
  }

  const body = document.documentElement;
  body.addEventListener("htmx:beforeRequest", (event) => {
    const problem = find("problem");
    if (problem) problem.replaceChildren();
    const target = event.detail.target;
    if (target && target.id === "side" && !opened()) from = event.detail.elt;
    /* The form becomes small at once: when the answer comes, nothing jumps. */
    if (target && target.id === "answer") {
      find("start").classList.add("asked");
      find("start").classList.remove("editing");
    }
    if (target && (target.id === "answer" || target.id === "precedents")) target.classList.add("waiting");
    if (target && target.id) target.setAttribute("aria-busy", "true");
    setStatus(statusText("busy"), "busy");
  });
  body.addEventListener("htmx:afterRequest", (event) => {
    /* All busy elements: the target of an error is not the element that was waiting. */
    for (const place of document.querySelectorAll("[aria-busy]")) {
      place.classList.remove("waiting");
      place.removeAttribute("aria-busy");
    }
    if (find("start") && !event.detail.successful && !find("answer-title")) find("start").classList.remove("asked");
    setStatus(event.detail.successful ? statusText("done") : "", "quiet");
  });
  body.addEventListener("htmx:sendError", () => {
    const problem = find("problem");
    if (problem) problem.textContent = statusText("lost");
  });
  body.addEventListener("htmx:afterSettle", (event) => {
    const target = event.detail.target;
    if (!target || !target.id) return;
    if (target.id === "problem") {
      if (opened()) history.back();
      target.scrollIntoView({ block: "center" });
      return;
    }
    if (event.detail.pathInfo && event.detail.pathInfo.requestPath === "/upload") {
      find("text").focus();
      setStatus(statusText("read"), "");
      return;
    }
    if (target.id === "side") open();
    if (target.id === "precedents") {
      const node = document.querySelector("input[name=node]");
      for (const button of document.querySelectorAll("button.node")) {
        button.setAttribute("aria-pressed", String(Boolean(node) && button.value === node.value));
      }
    }
    const asked = event.detail.requestConfig && event.detail.requestConfig.elt;
    if (!(asked && asked.matches("input, select") && refocus(asked))) focus(target);
    count();
  });
  count();
})();
