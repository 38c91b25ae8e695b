// The pages of set-up and sign-in: one button each, the two steps of WebAuthn, and in words what came of it.
const { startRegistration, startAuthentication } = globalThis.SimpleWebAuthnBrowser;
const outcome = document.querySelector('#outcome');

async function post(path, body) {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status === 429) throw new Error('Too many tries. Wait a minute.');
  const answer = await response.json();
  if (!response.ok) throw new Error(`${answer.message} ${answer.hint}`);
  return answer;
}

// A path of this site and nothing else, so that no link leads a person who has just signed in elsewhere.
function nextPath() {
  const next = new URLSearchParams(location.search).get('next') ?? '/account';
  const url = new URL(next, location.origin);
  return url.origin === location.origin ? url.href : '/account';
}

async function setUp() {
  const token = location.hash.slice(1);
  const optionsJSON = await post('/setup/begin', { token });
  const response = await startRegistration({ optionsJSON });
  await post('/setup/finish', { token, response });
  location.replace('/account');
}

async function signIn() {
  const optionsJSON = await post('/signin/begin', {});
  const response = await startAuthentication({ optionsJSON });
  await post('/signin/finish', { response });
  location.replace(nextPath());
}

function onClick(selector, work) {
  const button = document.querySelector(selector);
  button?.addEventListener('click', async () => {
    button.disabled = true;
    outcome.textContent = '';
    try {
      await work();
    } catch (error) {
      outcome.textContent = error.name === 'NotAllowedError' ? 'The passkey was not given. Try again.' : error.message;
      outcome.className = 'bad';
    } finally {
      button.disabled = false;
    }
  });
}

onClick('#create', setUp);
onClick('#sign-in', signIn);
