/** The Luhn check digit of a row of digits (ISO/IEC 7812-1). */
export function luhnDigit(digits: string): string {
  let sum = 0
  for (let i = digits.length - 1, double = true; i >= 0; i--, double = !double) {
    const value = Number(digits[i]) * (double ? 2 : 1)
    sum += value > 9 ? value - 9 : value
  }
  return String((10 - (sum % 10)) % 10)
}

/** An ICCID as typed (spaces and dashes allowed), or null. 18 to 20 digits beginning with 89 (ITU-T E.118). */
export function parseIccid(text: string): string | null {
  const digits = text.replaceAll(/[\s-]/g, '')
  return /^89\d{16,18}$/.test(digits) ? digits : null
}

/** The forms one ICCID is known by: as given, with its check digit and, when its last digit is one, without. */
export function iccidForms(iccid: string): string[] {
  const forms = [iccid]
  if (iccid.length < 20) forms.push(iccid + luhnDigit(iccid))
  const short = iccid.slice(0, -1)
  if (short.length >= 18 && luhnDigit(short) === iccid.at(-1)) forms.push(short)
  return forms
}
