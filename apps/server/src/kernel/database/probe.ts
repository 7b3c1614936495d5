type Asked = { at: number; answeredAt: number; answer: Promise<string | null> }

type Options = {
  /** ms */
  freshFor?: number
  /** ms */
  patience?: number
  /** What a question that failed says. */
  words: (error: unknown) => string | null
  /** What is said of one that takes too long. */
  late: string | null
}

/**
 * Asks why something is not as it should be, in words; null while it is. Whoever asks within `freshFor` of an answer, or while one is under way,
 * gets the same, so that it costs next to nothing however many ask; nobody waits longer than `patience` after it was begun.
 */
export function openProbe(
  ask: () => Promise<string | null>,
  { freshFor = 1000, patience = 2000, words, late }: Options
): () => Promise<string | null> {
  let asked: Asked | undefined
  const begin = () => {
    const made: Asked = { at: performance.now(), answeredAt: Infinity, answer: ask().catch(words) }
    void made.answer.then(() => (made.answeredAt = performance.now()))
    return made
  }
  return async () => {
    const now = performance.now()
    if (!asked || now - asked.answeredAt >= freshFor) asked = begin()
    const { promise: tooLate, resolve } = Promise.withResolvers<string | null>()
    const timer = setTimeout(() => resolve(late), Math.max(0, asked.at + patience - now))
    return Promise.race([asked.answer, tooLate]).finally(() => clearTimeout(timer))
  }
}
