/** The kinds of activity: the areas that have events. A list of its own, so that the console does not load all events for their names. */
export const activityCategories = ['assets', 'auth', 'backoffice', 'billing', 'developers', 'notifications', 'tags', 'teams'] as const
