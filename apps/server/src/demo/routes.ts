import * as demo from '@masthead/contract/demo/operations'
import { reach, type Route } from '../kernel/http/routes.ts'
import { listMail } from './list-mail.ts'

export const demoRoutes: Route[] = [reach(demo.listMail, listMail)]
