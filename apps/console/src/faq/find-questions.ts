import type { QuestionGroup } from './question.ts'
import { questionGroups } from './questions.ts'

const plain = (text: string) => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').replaceAll(/[’']/g, '').toLowerCase()

/** The groups with the questions that have every word looked for, in the question, the answer or the words it is also known by. */
export function findQuestions(search: string, groups: readonly QuestionGroup[] = questionGroups): QuestionGroup[] {
  const words = plain(search).split(/\s+/).filter(Boolean)
  return groups
    .map(({ title, questions }) => ({
      title,
      questions: questions.filter(({ question, answer, also = '' }) => {
        const text = plain([title, question, ...answer, also].join(' '))
        return words.every((word) => text.includes(word))
      }),
    }))
    .filter(({ questions }) => questions.length > 0)
}
