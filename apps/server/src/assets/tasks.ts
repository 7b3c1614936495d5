import { task, type Task } from '../kernel/jobs/jobs.ts'
import { forgetPlaces } from './set-position.ts'

export const assetTasks: Task[] = [task('assets.forget_places', forgetPlaces, '45 3 * * *')]
