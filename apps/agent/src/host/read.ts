import { readFileSync } from 'node:fs'

/** The text of a file of the kernel's; null where there is none. Some of them end with a NUL. */
export function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').replaceAll('\0', '').trim()
  } catch {
    return null
  }
}

export function readNumber(path: string): number | null {
  const text = readText(path)
  const number = Number(text)
  return text === null || text === '' || !Number.isFinite(number) ? null : number
}
