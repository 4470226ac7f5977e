#include "CPages.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

// `#embed` is of C23; Clang has it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

// Each text ends with a zero.
static const struct {
    const char *name;
    const unsigned char *text;
} files[] = {
    {"dom.js", (const unsigned char[]){
#embed "../PageServer/Page/dom.js"
    , 0}},
    {"dashboard.css", (const unsigned char[]){
#embed "../Dashboard/Page/dashboard.css"
    , 0}},
    {"dashboard.html", (const unsigned char[]){
#embed "../Dashboard/Page/dashboard.html"
    , 0}},
    {"dashboard.js", (const unsigned char[]){
#embed "../Dashboard/Page/dashboard.js"
    , 0}},
    {"capacity.js", (const unsigned char[]){
#embed "../Studio/Page/capacity.js"
    , 0}},
    {"dots.js", (const unsigned char[]){
#embed "../Studio/Page/dots.js"
    , 0}},
    {"export.js", (const unsigned char[]){
#embed "../Studio/Page/export.js"
    , 0}},
    {"faults.js", (const unsigned char[]){
#embed "../Studio/Page/faults.js"
    , 0}},
    {"front.js", (const unsigned char[]){
#embed "../Studio/Page/front.js"
    , 0}},
    {"goal.js", (const unsigned char[]){
#embed "../Studio/Page/goal.js"
    , 0}},
    {"keys.js", (const unsigned char[]){
#embed "../Studio/Page/keys.js"
    , 0}},
    {"phones.js", (const unsigned char[]){
#embed "../Studio/Page/phones.js"
    , 0}},
    {"player.js", (const unsigned char[]){
#embed "../Studio/Page/player.js"
    , 0}},
    {"studio.css", (const unsigned char[]){
#embed "../Studio/Page/studio.css"
    , 0}},
    {"studio.html", (const unsigned char[]){
#embed "../Studio/Page/studio.html"
    , 0}},
    {"studio.js", (const unsigned char[]){
#embed "../Studio/Page/studio.js"
    , 0}},
    {"tradeoff.js", (const unsigned char[]){
#embed "../Studio/Page/tradeoff.js"
    , 0}},
    {"tune.js", (const unsigned char[]){
#embed "../Studio/Page/tune.js"
    , 0}},
    {"work.js", (const unsigned char[]){
#embed "../Studio/Page/work.js"
    , 0}},
};

const unsigned char *page_text(const char *name) {
    for (size_t position = 0; position < sizeof files / sizeof *files; position++) {
        if (strcmp(files[position].name, name) == 0) return files[position].text;
    }
    abort();
}
