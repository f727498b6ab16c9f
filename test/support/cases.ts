/** The values of a table that are text alone, as they stand in it: between bars and ends of lines. */
export const listed = ([table = '']: TemplateStringsArray): string[] => table.trim().split(/\s*[|\n]\s*/);
