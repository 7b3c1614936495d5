/** The colours of tags: a set of their own, apart from states and charts. */
export const tagColors = {
  slate: { word: 'Slate', class: 'bg-(--tag-slate)' },
  blue: { word: 'Blue', class: 'bg-(--tag-blue)' },
  violet: { word: 'Violet', class: 'bg-(--tag-violet)' },
  pink: { word: 'Pink', class: 'bg-(--tag-pink)' },
  orange: { word: 'Orange', class: 'bg-(--tag-orange)' },
  olive: { word: 'Olive', class: 'bg-(--tag-olive)' },
  teal: { word: 'Teal', class: 'bg-(--tag-teal)' },
  brown: { word: 'Brown', class: 'bg-(--tag-brown)' },
} as const

export type TagColorName = keyof typeof tagColors
export const tagColorNames = Object.keys(tagColors) as TagColorName[]

/** The colour a new tag gets: the least used so far, the first of those. */
export const nextTagColor = (used: readonly TagColorName[]): TagColorName =>
  tagColorNames.reduce((best, name) =>
    used.filter((one) => one === name).length < used.filter((one) => one === best).length ? name : best
  )
