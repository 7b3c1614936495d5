// The fields of a card, on pages of the sandbox.
const fields = ['number', 'expiry', 'cvc'].map((id) => document.getElementById(id))
const [number, expiry, cvc] = fields
const digits = (text) => text.replace(/\D/g, '')

number.addEventListener('input', () => {
  number.value = digits(number.value)
    .slice(0, 19)
    .replace(/(.{4})(?=.)/g, '$1 ')
})
expiry.addEventListener('input', (event) => {
  const given = digits(expiry.value).slice(0, 4)
  const isGoingBack = event.inputType === 'deleteContentBackward'
  expiry.value = given.length > 2 ? `${given.slice(0, 2)} / ${given.slice(2)}` : given.length === 2 && !isGoingBack ? `${given} / ` : given
})
cvc.addEventListener('input', () => (cvc.value = digits(cvc.value).slice(0, 4)))

export const isComplete = () => digits(number.value).length >= 12 && digits(expiry.value).length === 4 && digits(cvc.value).length >= 3
export const isEmpty = () => fields.every((field) => field.value === '')

/** Confirms an intent with what was typed. */
export async function confirmWith({ path, client_secret, key }) {
  const month = digits(expiry.value).slice(0, 2)
  const card = { number: digits(number.value), exp_month: month, exp_year: `20${digits(expiry.value).slice(2)}`, cvc: digits(cvc.value) }
  const body = new URLSearchParams({ client_secret })
  for (const [name, value] of Object.entries(card)) body.set(`payment_method_data[card][${name}]`, value)
  try {
    const answer = await fetch(path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/x-www-form-urlencoded' },
      body: body.toString(),
    })
    return await answer.json()
  } catch {
    return { error: { type: 'api_connection_error', message: 'The card sandbox could not be reached. Try again.' } }
  }
}

export const onChange = (act) => fields.forEach((field) => field.addEventListener('input', act))
