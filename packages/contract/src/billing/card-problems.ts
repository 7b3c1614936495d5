import { problem } from '../kernel/problem.ts'
import { mostCards } from './card.ts'

export const tooManyCards = problem({ code: 'too_many_cards', status: 409, title: `An account keeps at most ${mostCards} cards` })
export const cardSetupOver = problem({ code: 'card_setup_over', status: 409, title: 'This form for a card has been used, or is over' })
