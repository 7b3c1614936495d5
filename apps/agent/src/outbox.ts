type Letter = { section: string; mid: string; text: string; replaces: boolean }

const mostLetters = 1500
const mostBytes = 2_000_000

/**
 * What waits until it is acknowledged, in order. Of what replaces (a whole state) the newest alone is kept; when there is no more room the
 * oldest of the rest go first.
 */
export function openOutbox() {
  const letters: Letter[] = []
  let bytes = 0
  const drop = (at: number) => void (bytes -= letters.splice(at, 1)[0]!.text.length)
  return {
    put(letter: Letter): void {
      const before = letter.replaces ? letters.findIndex(({ section }, at) => at > 0 && section === letter.section) : -1
      if (before > 0) drop(before)
      letters.push(letter)
      bytes += letter.text.length
      while (letters.length > mostLetters || bytes > mostBytes) {
        const oldest = letters.findIndex(({ replaces }, at) => at > 0 && !replaces)
        if (oldest < 1) break
        drop(oldest)
      }
    },
    first: (): Letter | undefined => letters[0],
    /** The first has been acknowledged. */
    done(mid: string): void {
      if (letters[0]?.mid === mid) drop(0)
    },
    size: () => letters.length,
  }
}
