const hourMs = 3_600_000

/** The beginning of the hour before that of `at`: how a SIM is refused is looked for from then on. */
export const hourBefore = (at: Date) => new Date(Math.floor(at.getTime() / hourMs - 1) * hourMs)
