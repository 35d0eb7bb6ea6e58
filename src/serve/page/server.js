// What the page asks of the server that it came from.

class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }
}

// The answer of a path: to a POST of the body as JSON, or without one to a GET. Refusal: what the server says against it.
async function ask(path, body, signal) {
  const options = { signal };
  if (body) Object.assign(options, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!response.ok) throw new Refusal(response.status, answer.error);
  return answer;
}
