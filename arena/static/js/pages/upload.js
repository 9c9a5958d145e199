/** Forms with a bot's file: says what is wrong with its size before it is sent, and that it is being sent. */

import { decimal, gettext } from "arena/words";

const MEBIBYTE = 1 << 20;

function problemWith(file, limits) {
  if (!file) return "";
  const most = Number(/\.zip$/i.test(file.name) ? limits.maxZipBytes : limits.maxBytes);
  if (file.size === 0) return gettext("This file is empty.");
  if (file.size > most) {
    const got = decimal(Math.ceil((file.size * 10) / MEBIBYTE) / 10);
    return gettext("This file has {size} MB. A bot can have at most {most} MB.", { size: got, most: most / MEBIBYTE });
  }
  return "";
}

function show(field, problem) {
  /** @type {HTMLInputElement} */
  const input = field.querySelector("input[type=file]");
  const place = field.querySelector("[data-upload-error]");
  place.replaceChildren();
  if (problem) {
    const sentence = document.createElement("p");
    sentence.textContent = problem;
    place.append(sentence);
  }
  field.classList.toggle("field--bad", Boolean(problem));
  input.setAttribute("aria-invalid", String(Boolean(problem)));
}

for (const form of document.querySelectorAll("[data-upload-form]")) {
  const field = form.querySelector("[data-upload]");
  /** @type {HTMLInputElement} */
  const input = field.querySelector("input[type=file]");
  const check = () => {
    const problem = problemWith(input.files[0], input.dataset);
    show(field, problem);
    return problem;
  };
  input.addEventListener("change", check);
  form.addEventListener("submit", (event) => {
    if (check()) {
      event.preventDefault();
      input.focus();
      return;
    }
    form.querySelector("[data-upload-sending]").removeAttribute("hidden");
    form.querySelector("button[type=submit]").setAttribute("aria-busy", "true");
  });
}
