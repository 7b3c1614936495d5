const day = 86_400_000

/** A kept time more than a day ahead is of our own clock while that was ahead, and is as good as long past. Milliseconds. */
export const past = (kept: number, now: number) => (kept > now + day ? -Infinity : kept)
