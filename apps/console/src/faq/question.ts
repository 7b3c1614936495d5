/** A question with its answer in paragraphs, and the screens that show more. `also`: other words people look for it by. */
export type Question = {
  id: string
  question: string
  answer: readonly string[]
  links?: readonly { to: string; label: string }[]
  also?: string
}
export type QuestionGroup = { title: string; questions: readonly Question[] }
