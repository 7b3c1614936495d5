/** Whether a certificate has less than a third of its life left: what renews by itself has done so by then, however long the life is. All in ms since 1970. */
export const isNearEnd = ({ from, to }: { from: number; to: number }, now: number): boolean => to - now < (to - from) / 3
